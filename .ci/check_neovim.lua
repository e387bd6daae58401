-- Uses an open file as a person would, and writes what Neovim shows as JSON to $CHECK_ANSWERS. See check_neovim.py.
local answers = {}
local questions = vim.json.decode(os.getenv('CHECK_QUESTIONS'))

local function wait(what, holds)
  if not vim.wait(20000, holds, 20) then
    answers.late = what
  end
end

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n') .. '\n'
end

local function go(place)
  vim.api.nvim_win_set_cursor(0, { place[1] + 1, place[2] })
end

local function diagnostics()
  return vim.tbl_map(function(it)
    local code = it.code or it.user_data.lsp.code
    return { code, it.message, it.lnum, it.col, it.end_lnum, it.end_col }
  end, vim.diagnostic.get(0))
end

local function float()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then
      return window
    end
  end
end

local function run()
  wait('diagnostics', function() return #vim.diagnostic.get(0) > 0 end)
  answers.diagnostics = diagnostics()

  go(questions.hover)
  vim.lsp.buf.hover()
  wait('hover', float)
  answers.hover = table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(float()), 0, -1, false), '\n')
  vim.api.nvim_win_close(float(), true)

  go(questions.definition)
  local file = vim.api.nvim_buf_get_name(0)
  vim.lsp.buf.definition()
  wait('definition', function() return vim.api.nvim_buf_get_name(0) ~= file end)
  answers.definition = vim.api.nvim_buf_get_name(0)
  vim.cmd('edit ' .. file)

  local offered
  vim.ui.select = function(items, options, choose)
    offered = vim.tbl_map(options.format_item, items)
    for number, title in ipairs(offered) do
      if title:find(questions.title, 1, true) then
        return choose(items[number], number)
      end
    end
    choose()
  end
  go(questions.fix)
  vim.lsp.buf.code_action()
  wait('code action', function() return offered and text() ~= questions.text end)
  answers.fixed = text()

  wait('diagnostics after the fix', function() return #vim.diagnostic.get(0) < #answers.diagnostics end)
  vim.api.nvim_buf_set_lines(0, -1, -1, false, { questions.line })
  answers.edited = text()
  wait('diagnostics after an edit', function() return #vim.diagnostic.get(0) == #answers.diagnostics end)
  answers.again = diagnostics()

  vim.lsp.codelens.refresh()
  wait('code lens', function() return #vim.lsp.codelens.get(0) > 0 end)
  go({ 0, 0 })
  local buffer = vim.api.nvim_get_current_buf()
  vim.lsp.codelens.run()
  wait('prompt', function() return vim.api.nvim_get_current_buf() ~= buffer and text() ~= '\n' end)
  answers.prompt = text()
end

local ran, why = xpcall(run, debug.traceback)
answers.error = not ran and why or nil
local out = io.open(os.getenv('CHECK_ANSWERS'), 'w')
out:write(vim.json.encode(answers))
out:close()
vim.cmd('qall!')

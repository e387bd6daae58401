# Completions of rye-render for fish. In ~/.config/fish/config.fish:
#
#     rye-render completions fish | source
#
# The program itself answers, so this file does not change when commands and flags are added.

function __rye_render_complete
    set -l words (commandline --current-process --tokenize --cut-at-cursor)
    set -l current (commandline --current-token --cut-at-cursor)
    set -l answer (RYE_RENDER_COMPLETE=fish command rye-render -- (count $words) $words "$current" 2>/dev/null)
    switch "$answer[1]"
        case files
            __fish_complete_path "$current"
        case folders
            __fish_complete_directories "$current" ''
        case values
            for line in $answer[2..-1]
                printf '%s\n' $line
            end
    end
end

complete --command rye-render --no-files --keep-order --arguments '(__rye_render_complete)'

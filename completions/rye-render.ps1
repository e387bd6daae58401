# Completions of rye-render for PowerShell. In the file that $PROFILE names:
#
#     rye-render completions powershell | Out-String | Invoke-Expression
#
# The program itself answers, so this file does not change when commands and flags are added.

Register-ArgumentCompleter -Native -CommandName rye-render -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    # Words as written; nothing is evaluated.
    $words = @($commandAst.CommandElements | Where-Object { $_.Extent.StartOffset -lt $cursorPosition } | ForEach-Object {
            if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text }
        })
    # An empty word is not among them.
    $index = if ($wordToComplete -eq '') { $words.Count } else { $words.Count - 1 }
    $before = $env:RYE_RENDER_COMPLETE
    $env:RYE_RENDER_COMPLETE = 'powershell'
    try { $answer = @(& rye-render '--' $index @words 2>$null) } finally { $env:RYE_RENDER_COMPLETE = $before }
    # Without an answer, PowerShell offers files.
    if ($answer.Count -lt 2 -or $answer[0] -ne 'values') { return }
    $answer | Select-Object -Skip 1 | ForEach-Object {
        $value, $about = $_ -split "`t", 2
        $text = if ($value -match '^[\w/.=:+%-]+$') { $value } else { "'" + $value.Replace("'", "''") + "'" }
        if (-not $about) { $about = $value }
        [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $about)
    }
}

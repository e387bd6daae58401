# Completions of rye-render for elvish. In ~/.config/elvish/rc.elv:
#
#     eval (rye-render completions elvish | slurp)
#
# The program itself answers, so this file does not change when commands and flags are added.

use str

set edit:completion:arg-completer[rye-render] = {|@words|
  var index = (to-string (- (count $words) 1))
  var answer = [(try { env RYE_RENDER_COMPLETE=elvish rye-render -- $index $@words 2>/dev/null } catch { })]
  if (== (count $answer) 0) {
    nop
  } elif (has-value [files folders] $answer[0]) {
    edit:complete-filename $@words
  } else {
    for line $answer[1..] {
      var value @about = (str:split "\t" $line)
      # What ends in one of these goes on.
      var suffix = ' '
      for end [= : / ,] { if (str:has-suffix $value $end) { set suffix = '' } }
      edit:complex-candidate $value &code-suffix=$suffix &display=$value
    }
  }
}

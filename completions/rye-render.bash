# Completions of rye-render for bash. In ~/.bashrc:
#
#     source <(rye-render completions bash)
#
# The program itself answers, so this file does not change when commands and flags are added.

_rye_render() {
    local line kind=
    COMPREPLY=()
    while IFS= read -r line; do
        if [[ -z $kind ]]; then
            kind=$line
        else
            COMPREPLY+=("$line")
        fi
    done < <(RYE_RENDER_COMPLETE=bash command rye-render -- "$COMP_CWORD" "${COMP_LINE:0:COMP_POINT}" \
        "${COMP_WORDS[@]}" 2>/dev/null)
    case $kind in
        files) compopt -o default 2>/dev/null ;;
        folders) compopt -o filenames -o dirnames 2>/dev/null ;;
        *)
            # What ends in one of these goes on.
            if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=:/,] ]]; then
                compopt -o nospace 2>/dev/null
            fi
            ;;
    esac
}

# Bash 3.2 has neither `nosort` nor `compopt`; files are offered if there is nothing else.
complete -o nosort -F _rye_render rye-render 2>/dev/null || complete -o default -F _rye_render rye-render

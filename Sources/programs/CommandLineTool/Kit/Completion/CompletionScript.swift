/// The scripts with which shells complete command lines of blemu. They ask `blemu completion words -- WORD…`.
enum CompletionScript: String, CaseIterable {
  case bash, zsh, fish

  var text: String {
    switch self {
    case .bash: Self.bashText
    case .zsh: Self.zshText
    case .fish: Self.fishText
    }
  }

  /// bash also splits words at `:`, `=` and `@`, and replaces only the last part.
  private static let bashText = #"""
    # Completion of blemu for bash. To load it into this shell: source <(blemu completion bash)

    _blemu() {
      local rest=${COMP_LINE:0:COMP_POINT} files= number word summary prefix name
      local -a words=()
      rest=${rest#*"${COMP_WORDS[0]}"}
      for ((number = 1; number <= COMP_CWORD; number++)); do
        word=${COMP_WORDS[number]}
        if [[ $number == 1 || $rest == [[:space:]]* ]]; then words+=(""); fi
        rest=${rest#"${rest%%[![:space:]]*}"}
        [[ $number != "$COMP_CWORD" ]] || word=$rest
        words[${#words[@]}-1]+=$word
        rest=${rest#"$word"}
      done
      word=${words[${#words[@]}-1]}
      prefix=${word%"${word##*[:=@]}"}
      COMPREPLY=()
      while IFS=$'\t' read -r name summary; do
        if [[ $name == :files ]]; then files=yes; else COMPREPLY+=("${name#"$prefix"}"); fi
      done < <("${COMP_WORDS[0]/#\~/$HOME}" completion words -- "${words[@]}" 2>/dev/null)
      if [[ -n $files ]]; then
        while read -r name; do COMPREPLY+=("$name"); done < <(compgen -f -- "${word#"$prefix"}")
        compopt -o filenames 2>/dev/null
      elif [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *[:=] ]]; then
        compopt -o nospace 2>/dev/null
      fi
    }

    complete -F _blemu blemu

    """#

  private static let zshText = #"""
    #compdef blemu
    # Completion of blemu for zsh. To load it into this shell: source <(blemu completion zsh)

    _blemu() {
      local program=${(Q)words[1]} line word files= tab=$'\t'
      local -a before=() whole=() open=()
      (( CURRENT > 2 )) && before=("${(@Q)words[2,CURRENT-1]}")
      program=${program/#\~/$HOME}
      for line in "${(@f)$("$program" completion words -- "${before[@]}" "$PREFIX" 2>/dev/null)}"; do
        word=${line%%$tab*}
        line=${word//:/\\:}:${${line#$word}#$tab}
        case $word in
          '') ;;
          :files) files=yes ;;
          *[:=]) open+=("$line") ;;
          *) whole+=("$line") ;;
        esac
      done
      (( $#whole )) && _describe -t words blemu whole
      (( $#open )) && _describe -t words blemu open -S ''
      if [[ -n $files ]]; then
        [[ $PREFIX != --*=* ]] || compset -P '*='
        _files
      fi
    }

    if [[ ${funcstack[1]} == _blemu ]]; then _blemu "$@"; else compdef _blemu blemu; fi

    """#

  private static let fishText = #"""
    # Completion of blemu for fish. To load it into this shell: blemu completion fish | source

    function __blemu_words
        set -l before (commandline -opc)
        set -l current (commandline -ct)
        for line in ($before[1] completion words -- $before[2..] "$current" 2>/dev/null)
            if test "$line" = :files
                set -l option (string match -r -- '^--[a-z-]+=' $current)
                for path in (__fish_complete_path (string replace -r -- '^--[a-z-]+=' '' $current))
                    echo "$option$path"
                end
            else
                echo $line
            end
        end
    end

    complete -c blemu -f -a '(__blemu_words)'

    """#
}

/** Shells that have a completion script. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

export type Shell = (typeof SHELLS)[number];

/**
 * Completion script of a shell. It asks `stemma complete` for the words that fit, and completes paths where there are none.
 * Words are never evaluated: a document may have any name.
 */
export const completionScript = (shell: Shell): string => SCRIPTS[shell];

const BASH = `_stemma() {
	local word
	COMPREPLY=()
	while IFS= read -r word; do
		COMPREPLY+=("$(printf '%q' "$word")")
	done < <(stemma complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _stemma stemma
`;

const ZSH = `#compdef stemma
_stemma() {
	local -a found
	found=("\${(@f)$(stemma complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
	if [[ -n "\${found[1]}" ]]; then
		compadd -- "\${found[@]}"
	else
		_files
	fi
}
compdef _stemma stemma
`;

const FISH = `function __stemma_complete
	set -l found (stemma complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)
	if test (count $found) -gt 0
		printf '%s\\n' $found
	else
		__fish_complete_path (commandline -ct)
	end
end
complete -c stemma -f -a '(__stemma_complete)'
`;

const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH };

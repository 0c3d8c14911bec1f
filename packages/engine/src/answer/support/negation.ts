/** Words that turn a statement into its opposite, by language; with folded characters. */
const NEGATIONS: ReadonlySet<string> = new Set(
	[
		"not no never none neither nor cannot without nobody nothing nowhere except unless",
		"nicht kein keine keinen keinem keiner keines nie niemals niemand nichts ohne weder ausser außer",
		"ne pas jamais aucun aucune sans ni rien",
		"nunca ningun ninguno ninguna sin jamas nadie nada tampoco",
		"non mai senza nessun nessuno nessuna niente ne",
		"nao nunca sem nenhum nenhuma ninguem",
		"niet geen nooit zonder niemand niets",
		"не нет нельзя никогда без никто ничего ни немає никогда ніколи",
		"nie nigdy bez nikt nic zaden brak",
		"degil yok hicbir asla",
		"لا ليس ليست لم لن غير بدون دون يمنع ممنوع",
		"לא אין בלי אסור",
		"नहीं मत बिना न",
		"δεν μην χωρις ποτε",
		"khong chua chang tidak bukan tanpa jangan inte aldrig utan ikke aldri uten",
	].flatMap((words) => words.split(" ")),
);

/** Negation within words, and in scripts without blanks between them. */
const INNER_NEGATION =
	/n't(?!\p{L})|[不没沒無无未勿]|别|禁止|ない|ません|なく|않|없|못|아니|금지|ไม่|ห้าม|\p{Script=Latin}{2,}m[ae]z(?:ler|lar)?(?!\p{L})|\p{Script=Latin}{2,}m(?:i|ı|u|ü)yor/giu;
/** Words that hold such characters without negating anything. */
const NO_NEGATION = /不同|不仅|不但|不断|无论|無論|不管|未来|未來|没有关系|少なく|しかない|間もなく/gu;

/** Prefixes that turn a word into its opposite: `available`, `unavailable`. */
export const NEGATING_PREFIX = /^(?:un|in|im|ir|il|dis|non|nicht|not|не|нe|без|бес)(?=\p{L}{4})/u;

/** Negations of a text, of which two make none. @param text - with folded characters, in lower case. */
export function countNegations(text: string, words: readonly string[]): number {
	let count = words.filter((word) => NEGATIONS.has(word)).length;
	// "ne … pas" is one.
	if (words.includes("ne") && words.some((word) => /^(?:pas|jamais|aucune?|rien|personne)$/.test(word)))
		count--;
	return count + (text.replace(NO_NEGATION, "").match(INNER_NEGATION)?.length ?? 0);
}

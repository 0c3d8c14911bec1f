/** Names of models of the hostile tenant's endpoint; each answers in its own way. */
export const MODEL_SCRIPTS = [
	"letters",
	"letters-as-key",
	"backticks",
	"brackets",
	"deltas",
	"hang",
	"drip",
	"huge",
	"endless",
	"redirect",
	"gzip-bomb",
	"broken-stream",
	"garbage",
	"call-tools",
	"call-many-tools",
	"deep-arguments",
	"unique-list",
	"deep-json",
	"error-500",
	"rate-limited",
	"odd-vectors",
	"hello",
] as const;

export type ModelScript = (typeof MODEL_SCRIPTS)[number];

/** Where endpoints of this format part ways about a request. */
export interface Dialect {
	/** OpenAI's newer models take only the second; most others, and their stricter ones, only the first. */
	readonly tokenLimit: "max_tokens" | "max_completion_tokens";
	/** Whether streams are asked for usage, by `stream_options`. */
	readonly asksUsage: boolean;
}

/** What to begin with at a host. */
export function toDialect(host: string): Dialect {
	const isOpenAi = host === "api.openai.com" || /\.openai\.azure\.com$/.test(host);
	return { tokenLimit: isOpenAi ? "max_completion_tokens" : "max_tokens", asksUsage: true };
}

/** The dialect without a field that the endpoint does not know; undefined where nothing else can be said. */
export function adaptDialect(dialect: Dialect, unknownField: string | undefined): Dialect | undefined {
	if (unknownField === "stream_options" && dialect.asksUsage) return { ...dialect, asksUsage: false };
	if (unknownField === "max_tokens") return { ...dialect, tokenLimit: "max_completion_tokens" };
	if (unknownField === "max_completion_tokens") return { ...dialect, tokenLimit: "max_tokens" };
	return undefined;
}

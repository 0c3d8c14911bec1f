/** The body of a request. What is too long for the model is cut: refused, it would take the whole batch along. */
export const toRequest = (query: string, texts: readonly string[]): object => ({
	query,
	texts,
	truncate: true,
});

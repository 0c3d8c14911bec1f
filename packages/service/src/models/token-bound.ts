/** Output that some vendors count at the least, whatever a request asks for. */
const MIN_OUTPUT_TOKENS = 16;

/**
 * Upper bound of the tokens of a request, to be set aside before it is sent: two bytes of its JSON for each. Tokenizers
 * need about four for English, three for Chinese or Japanese and two for random letters, and the JSON's own signs stand
 * for what vendors add to each message.
 */
export const boundInputTokens = (request: object): number =>
	Math.ceil(Buffer.byteLength(JSON.stringify(request)) / 2);

/** Upper bound of the tokens that come back. @param limit - what the vendor is asked for at the most. */
export const boundOutputTokens = (limit = 0): number => Math.max(limit, MIN_OUTPUT_TOKENS);

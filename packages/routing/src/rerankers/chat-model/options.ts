import { rejectOption } from "../../http/call-options";

/** How a chat model is asked for scores. */
export interface ChatRerankerOptions {
	/** How much of each text the model is shown, in UTF-16 code units. Default 1,500. */
	readonly maxTextCharacters?: number | undefined;
}

/** The options, checked and complete. */
export interface Settings {
	readonly maxTextCharacters: number;
}

const DEFAULT_MAX_TEXT_CHARACTERS = 1_500;

/** @throws ConfigurationError */
export function readOptions({
	maxTextCharacters = DEFAULT_MAX_TEXT_CHARACTERS,
}: ChatRerankerOptions): Settings {
	if (!Number.isInteger(maxTextCharacters) || maxTextCharacters < 1)
		rejectOption("maxTextCharacters", "a whole number above 0");
	return { maxTextCharacters };
}

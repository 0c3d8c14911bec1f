import { rejectOption } from "../../http/call-options";

/** Options for a chat model that scores texts. */
export interface ChatRerankerOptions {
	/** Maximum length of each text that the model is shown, in UTF-16 code units. Default 1,500. */
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

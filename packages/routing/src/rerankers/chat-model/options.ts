import { refuseOption } from "../../http/call-options";

/** How a chat model is asked for scores. */
export interface ChatRerankerOptions {
	/** How much of each text the model is shown, in UTF-16 code units. Default 1,500. */
	readonly longestText?: number | undefined;
}

/** The options, checked and complete. */
export interface Settings {
	readonly longestText: number;
}

const DEFAULT_LONGEST_TEXT = 1_500;

/** @throws ConfigurationError */
export function readOptions({ longestText = DEFAULT_LONGEST_TEXT }: ChatRerankerOptions): Settings {
	if (!Number.isInteger(longestText) || longestText < 1)
		refuseOption("longestText", "a whole number above 0");
	return { longestText };
}

/** Instructions of the service to a model. Each change of the text raises the version, which spans of its calls have. */
export interface Prompt {
	readonly name: "answer" | "rewrite" | "score" | "title";
	/** Number of this text, from 1. */
	readonly version: number;
	readonly text: string;
}

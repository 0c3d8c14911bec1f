import type { Json, JsonObject } from "../json";
import type { Cost } from "./cost";

/** Status of a run: its ending, or `paused` while it waits for approvals. */
export type RunStatus = "completed" | "failed" | "cancelled" | "paused";

/** The outcome of a run; the same shape for every ending, with what was done so far. */
export interface RunResult {
	/** `run_…`, sortable by time. */
	readonly run_id: string;
	readonly status: RunStatus;
	/** The coordinator's value: text, or JSON. `null` when the run ended before there was one. */
	readonly output: Json;
	/** The passages that the output cites, numbered from 1 by first appearance. */
	readonly citations: readonly Citation[];
	/**
	 * Numbers that the model cited although no passage has them, as it wrote them, at most 100: its output was rid of
	 * them. Left out where there are none.
	 */
	readonly unknown_citations?: readonly number[];
	readonly usage: RunUsage;
	/** Every model call that was made, in call order, and who paid for it. */
	readonly receipt: readonly ReceiptRow[];
	/** The open approvals of a paused run. */
	readonly approvals?: readonly Approval[];
	/** Error of a failed run. */
	readonly error?: RunError;
}

/** A passage that an answer rests on. */
export interface Citation {
	/** The number in the text: `[1]`. */
	readonly n: number;
	readonly passage_id: string;
	readonly document_id: string;
	readonly title: string;
	/** Source of the document: a path or an address. Left out where it has none. */
	readonly source?: string | null;
	/** The source, where it is an address on the web. */
	readonly url?: string;
	/** Metadata of the document. */
	readonly metadata?: JsonObject;
	readonly place: Place;
	/** The text of the passage. */
	readonly text: string;
	/**
	 * Comparison of the sentences that cite the passage with its text, without a model. `quoted`: their words are found
	 * there to the letter. `supported`: their numbers, names and most other words are, and nothing is negated. Else
	 * `weak`: have a person check it. Of several sentences the weakest counts.
	 */
	readonly support: "quoted" | "supported" | "weak";
	/** The parts of the output that are weak, to the letter, to be marked; at most 20. Left out where there are none. */
	readonly weak_claims?: readonly string[];
	/**
	 * Address of the document's file for the holder of a client key, for a link, a frame or a viewer; `…/file` replaced by
	 * `…/text` is its text as it was read. It lasts 15 minutes and opens this document alone: do not store it, read the
	 * run again or ask again for a new one. Left out for clients, which read documents with their own credential.
	 */
	readonly document_url?: string;
}

/**
 * Rectangle on a page in points (1/72 inch), measured from the upper left corner of the page as it is shown; pages count
 * from 1. For an image, in its pixels.
 */
export type PageBox = Readonly<Record<"page" | "x" | "y" | "width" | "height", number>>;

/** Location of a passage in its document. */
export interface Place {
	/** Page number, from 1, for formats with pages. */
	readonly page?: number;
	/** Boxes of the text on its pages, for formats that draw it. */
	readonly boxes?: readonly PageBox[];
	/** Name of the sheet, and its cells as `B2:D9`, for spreadsheets and tables of values. */
	readonly sheet?: string;
	readonly cells?: string;
	/** Number of the slide, from 1. */
	readonly slide?: number;
	/** Chapter of a book: its title in the table of contents, else the name of its file. */
	readonly chapter?: string;
	/** Part of a message: `body`, `quoted`, or the name of an attachment. */
	readonly part?: string;
	/** The heading path, outermost first, joined by ` › `. */
	readonly heading?: string;
	/** Offsets in UTF-16 code units into the document's text; `end` is exclusive. */
	readonly start: number;
	readonly end: number;
}

/** Figures of a run or of one node of it. */
export interface RunUsage {
	readonly input_tokens: number;
	readonly output_tokens: number;
	readonly model_calls: number;
	/** An invocation of a node or a model turn is a step. */
	readonly steps: number;
}

/** Account that is charged for a call: `none` for built-in models, `external` for a remote agent's own account. */
export type Payer = "workspace" | "deployment" | "none" | "external";

/** The step of answering that a call belonged to. */
export type Stage = "rewrite" | "embed" | "score" | "answer" | "index";

/** One call to a model that was really made. */
export interface ReceiptRow {
	readonly stage: Stage;
	/** The node that made it. */
	readonly node?: string;
	/** The run that made it, where it is not the run of the receipt. */
	readonly run_id?: string;
	readonly payer: Payer;
	/** The API format: `openai-compatible`, `bedrock`, `extractive`. */
	readonly provider: string;
	/** Host that the call went to; empty for what is built in. */
	readonly vendor_host: string;
	readonly model: string;
	readonly input_tokens: number;
	readonly output_tokens: number;
	readonly cached_tokens?: number;
	/** The vendor did not report usage: the token figures are an estimate. */
	readonly estimated?: boolean;
	/**
	 * Cost of the call at the price that the operator of the service had stated for the model when it was made; later
	 * changes of prices leave it as it is. Left out where no price was stated, and for calls that nobody pays for. The
	 * bill of the vendor counts.
	 */
	readonly cost?: Cost;
	/** Milliseconds, all attempts together. */
	readonly ms: number;
	readonly attempts: number;
	/** Sentence that says why this payer was chosen. */
	readonly reason: string;
}

/** An error as the API writes it. */
export interface RunError {
	/** Stable, snake_case. */
	readonly code: string;
	readonly message: string;
	readonly hint?: string;
	readonly param?: string;
	readonly request_id?: string;
	readonly details?: JsonObject;
}

/** A call that waits for a person, bound to these exact arguments. */
export interface Approval {
	/** Unique in its run. */
	readonly id: string;
	readonly node: string;
	/** The tool; of a remote node the agent's id or address. */
	readonly tool: string;
	/**
	 * All that it will be called with, fixed arguments among them; of a remote node `{input}`, and where the run's context
	 * goes along, `context` and whether it is `untrusted_context`.
	 */
	readonly arguments: JsonObject;
	/** RFC 3339; 7 days after it was asked for. From then on it counts as denied. */
	readonly expires_at: string;
}

/** Decision of a person about an {@link Approval}. */
export interface ApprovalDecision {
	readonly approval_id: string;
	readonly decision: "approve" | "deny";
	/** Reason of a denial, which the calling model is given. */
	readonly reason?: string;
	/** RFC 3339; counts against `expires_at`, however late it is passed on. Default: now. */
	readonly decided_at?: string;
}

/** Adds up what each payer was charged for. Payers without a row are left out. */
export function sumByPayer(receipt: readonly ReceiptRow[]): Partial<Record<Payer, PayerSum>> {
	const sums: Partial<Record<Payer, PayerSum>> = {};
	for (const row of receipt) {
		const sum = sums[row.payer] ?? { calls: 0, input_tokens: 0, output_tokens: 0, estimated: false };
		sums[row.payer] = {
			calls: sum.calls + 1,
			input_tokens: sum.input_tokens + row.input_tokens,
			output_tokens: sum.output_tokens + row.output_tokens,
			estimated: sum.estimated || row.estimated === true,
		};
	}
	return sums;
}

/** The calls and tokens of one payer; `estimated` when any of them was. */
export interface PayerSum {
	readonly calls: number;
	readonly input_tokens: number;
	readonly output_tokens: number;
	readonly estimated: boolean;
}

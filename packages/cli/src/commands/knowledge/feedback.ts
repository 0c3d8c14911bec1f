import type { FeedbackFilter, FeedbackRecord } from "@stemma/client";
import { omitUndefined } from "@stemma/core/internal";
import { listAll, toPageSize } from "../../connection/list-all";
import {
	type ConnectionOptions,
	type ServiceCommandOptions,
	withService,
} from "../../connection/with-service";
import { printTable } from "../../terminal/print";
import type { Terminal } from "../../terminal/terminal";
import { formatJson } from "../../terminal/text/format-json";
import { truncateLine } from "../../terminal/text/wrap-columns";

/** Options that select feedback. */
export interface FeedbackFilterOptions extends Pick<FeedbackFilter, "rating" | "tag" | "since" | "until"> {
	/** An id or a slug. */
	readonly agent?: string;
}

/** Options of `stemma feedback list`. */
export interface ListFeedbackOptions extends FeedbackFilterOptions, ServiceCommandOptions {
	readonly limit: number;
}

/** Prints feedback as a table, or as a list of JSON. */
export async function listFeedback(terminal: Terminal, options: ListFeedbackOptions): Promise<void> {
	const { limit } = options;
	const filter = { ...toFilter(options), limit: toPageSize(limit) };
	const found = await withService(options, ({ feedback }) => listAll(feedback.list(filter), limit));
	printTable(terminal, options, found, {
		header: ["SENT", "RATING", "ANSWERED BY", "TAGS", "QUESTION", "COMMENT"],
		toCells,
		empty: "No feedback was found.",
	});
}

const MAX_CELL_COLUMNS = 50;

const toCells = (record: FeedbackRecord): string[] => [
	record.created_at,
	record.rating,
	record.run_id === null ? "ask" : `${record.agent_slug} (version ${record.agent_version})`,
	record.tags.join(", "),
	toCell(record.question),
	toCell(record.comment ?? ""),
];

const toCell = (text: string): string => truncateLine(text.replace(/\s+/g, " "), MAX_CELL_COLUMNS);

/** Writes feedback with passages and citations, one JSON object a line, as it arrives. */
export const exportFeedback = (
	{ stdout }: Terminal,
	options: FeedbackFilterOptions & ConnectionOptions,
): Promise<void> =>
	withService(options, async ({ feedback }) => {
		for await (const record of feedback.export(toFilter(options)))
			if (!stdout.write(`${formatJson(record)}\n`))
				await new Promise<void>((resolve) => stdout.once("drain", resolve));
	});

const toFilter = ({ rating, agent, tag, since, until }: FeedbackFilterOptions): FeedbackFilter =>
	omitUndefined({ rating, agent_id: agent, tag, since, until });

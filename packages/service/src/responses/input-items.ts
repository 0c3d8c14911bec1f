import { DomainError } from "../errors/domain-error";
import type { ResponseItem } from "./response-request";

/** Item as OpenAI lists it. */
interface InputItem {
	readonly id: string;
	readonly [field: string]: unknown;
}

/** Requested page of the items of a response. */
export interface InputItemPage {
	readonly order: "asc" | "desc";
	/** 1 to 100. */
	readonly limit: number;
	/** Id of the last item of the page before. */
	readonly after: string | undefined;
}

/**
 * Lists the items that the request of a response has added to its conversation, as OpenAI does. Those of the responses before
 * are theirs.
 *
 * @param responseId - `resp_…`
 * @throws DomainError `invalid_request` for a cursor that is none.
 */
export function listInputItems(
	responseId: string,
	input: readonly ResponseItem[],
	{ order, limit, after }: InputItemPage,
): object {
	const items = input.map((item, index) => toInputItem(item, toInputItemId(responseId, index)));
	const ordered = order === "asc" ? items : items.toReversed();
	const start = after === undefined ? 0 : ordered.findIndex(({ id }) => id === after) + 1;
	if (after !== undefined && start === 0) throw cursorUnknown();
	const data = ordered.slice(start, start + limit);
	return {
		object: "list",
		data,
		first_id: data[0]?.id ?? null,
		last_id: data.at(-1)?.id ?? null,
		has_more: start + data.length < ordered.length,
	};
}

/** Id of an item that a request has sent. Unlike those of output, it is no reference for other requests. */
const toInputItemId = (responseId: string, index: number): string =>
	`in_${responseId.slice("resp_".length)}_${index}`;

function toInputItem(item: ResponseItem, id: string): InputItem {
	const base = { ...item, id };
	if (item.type === "message") return { ...base, status: "completed", content: toContent(item) };
	if (item.type === "reasoning") return { ...base, summary: [] };
	return { ...base, ...(item.type !== "item_reference" && { status: "completed" }) };
}

/** Content of a message as parts, as OpenAI lists it. */
function toContent({ role, content }: Extract<ResponseItem, { type: "message" }>): readonly object[] {
	const isOutput = role === "assistant";
	const parts = typeof content === "string" ? [{ type: "text", text: content }] : content;
	return parts.map((part) =>
		isOutput ? { ...part, type: "output_text", annotations: [] } : { ...part, type: "input_text" },
	);
}

const cursorUnknown = (): DomainError =>
	new DomainError("invalid_request", '"after" is the id of no item of this response.', { param: "after" });

import type { WireRunEvent } from "@stemma/client";
import type { Json } from "@stemma/core";

/** A line has no more, in UTF-16 code units. */
const MAX_CHARACTERS = 200;

/** One line that says what an event is about. */
export function summarizeEvent(event: WireRunEvent): string {
	switch (event.type) {
		case "node.started":
			return `${event.node}: ${toLine(event.input)}`;
		case "node.completed":
			return `${event.node}: ${toLine(event.output)}`;
		case "node.failed":
			return `${event.node}: ${event.error.code}`;
		case "tool.called":
			return `${event.node} → ${event.callee}: ${toLine(event.arguments)}`;
		case "tool.skipped":
			return `${event.node} → ${event.callee}: ${toLine(event.reason)}`;
		case "text.delta":
		case "reasoning.delta":
			return `${event.node}: ${toLine(event.text)}`;
		case "text.reset":
			return event.node;
		case "run.failed":
			return event.error.code;
		default:
			return "";
	}
}

function toLine(value: Json): string {
	const text = typeof value === "string" ? value : JSON.stringify(value);
	const line = text.slice(0, MAX_CHARACTERS).replaceAll(/\s+/g, " ");
	return text.length > MAX_CHARACTERS ? `${line}…` : line;
}

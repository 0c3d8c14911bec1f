import { createLocalAgent } from "@stemma/local";
import { scriptedPorts } from "./scripted-ports.mjs";

/**
 * Runs a demo and gives what happened as lines: each node as it starts and ends, indented under the one that led to it,
 * and how the run ended.
 *
 * @param demo - `graph`, `input`, and what there is of `context`, `untrustedContext`, `tools`, `limits`, `onApproval`,
 * and of the script. With `watch`, the id of a node, it shows what the model of that node was sent last.
 */
export async function show({ graph, tools = {}, limits = {}, watch, ...demo }) {
	const lines = [];
	const depths = new Map();
	const sent = [];
	const write = (depth, text) => lines.push(`${"  ".repeat(depth)}${text}`);

	const onRequest = (node, request) => {
		if (node === watch) sent.splice(0, sent.length, `${node} was sent:`, ...describeRequest(request));
	};
	const ports = scriptedPorts({ ...demo, onRequest });
	const agent = createLocalAgent(graph, { ports, tools, limits });
	const { input, context = {}, untrustedContext = false, onApproval } = demo;
	const run = agent.stream({ input, context, untrustedContext, ...(onApproval ? { onApproval } : {}) });
	for await (const event of run) {
		const depth = (depths.get(event.parent) ?? -1) + 1;
		if (event.type === "node.started") depths.set(event.invocation, depth);
		const text = describeEvent(event);
		if (text !== undefined) write("invocation" in event ? depths.get(event.invocation) : 0, text);
	}
	return [...lines, ...sent].map((line) => line.replaceAll(/data_[a-z0-9]+/g, "data_…")).join("\n");
}

function describeEvent(event) {
	switch (event.type) {
		case "node.started":
			return `${event.node} (${event.mode}) gets ${toText(event.input)}`;
		case "tool.skipped":
			return `${event.node} may not call ${event.callee}: ${event.reason}`;
		case "text.reset":
			return `${event.node} takes its text back`;
		case "node.completed":
			return `${event.node} gives ${toText(event.output)}${event.truncated ? " (cut by length)" : ""}`;
		case "node.failed":
			return `${event.node} fails: ${event.error.code}: ${event.error.message}`;
		case "run.paused":
			return event.result.approvals
				.map(({ id, tool, arguments: given }) => `paused: ${id} asks for ${tool} ${toText(given)}`)
				.join("\n");
		case "run.resumed":
			return "resumed";
		case "run.completed":
			return describeEnd(event.result);
		case "run.failed":
			return `failed: ${event.error.code}: ${event.error.message}`;
		case "run.cancelled":
			return `cancelled, so far: ${toText(event.result.output)}`;
		default:
			return undefined;
	}
}

function describeEnd({ output, citations, usage }) {
	const sources = citations.map(({ n, title, support }) => `, [${n}] ${title} (${support})`).join("");
	return `completed: ${toText(output)}${sources}, ${usage.steps} steps`;
}

function describeRequest({ system, messages, tools = [] }) {
	return [
		...(system === undefined ? [] : [`  system: ${system}`]),
		...messages.map((message) => `  ${describeMessage(message)}`),
		...tools.map(({ name }) => `  (may call ${name})`),
	];
}

function describeMessage({ role, content, toolCalls = [] }) {
	const calls = toolCalls.map((call) => ` calls ${call.name} ${call.arguments}`).join(",");
	return `${role}: ${content.replaceAll(/\n+/g, "\n    ")}${calls}`;
}

/** As JSON; of passages and conversations no more than one has to see. */
function toText(value) {
	if (value?.passages) return value.passages.map(({ n, text }) => `[${n}] ${text}`).join(" ");
	if (value?.messages) return `a conversation of ${value.messages.length} messages`;
	return JSON.stringify(value);
}

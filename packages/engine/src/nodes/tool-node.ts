import type { Json, JsonObject, JsonSchema, RunError, ToolNode } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import { requestCall } from "../run/approvals";
import { endCall } from "../run/call-queue";
import type { ToolCommand } from "../run/command";
import type { RunState } from "../run/run-state";
import { toLastUserMessage } from "./convert-value";
import { fail } from "./create-invocation";
import type { Invocation } from "./invocation";

/** Begins the one call of a tool node. */
export function startToolCall(run: RunState, invocation: Invocation, node: ToolNode): void {
	const { parameters = {}, error } = run.tools[invocation.node.index] ?? {};
	if (error !== undefined) return fail(run, invocation, error);
	const input = acceptsMessages(parameters)
		? invocation.input
		: toLastUserMessage(invocation.input, run.input);
	const args = toArguments(input, parameters, node.arguments);
	if (args === undefined) return fail(run, invocation, inputNotObject(node.id));
	requestCall(run, { type: "tool", invocation, isInFlight: false, arguments: args });
}

/** An object is the arguments; text is the only required text among them, and nothing to a tool that takes none. Fixed arguments win. */
function toArguments(input: Json, parameters: JsonSchema, preset: JsonObject = {}): JsonObject | undefined {
	if (isJsonObject(input)) return { ...input, ...preset };
	if (acceptsNoArguments(parameters, preset)) return { ...preset };
	if (typeof input !== "string") return undefined;
	const [name, ...others] = listRequiredTexts(parameters).filter((one) => !Object.hasOwn(preset, one));
	return name === undefined || others.length > 0 ? undefined : { [name]: input, ...preset };
}

const acceptsMessages = ({ properties }: JsonSchema): boolean =>
	isJsonObject(properties) && Object.hasOwn(properties, "messages");

const acceptsNoArguments = ({ properties }: JsonSchema, preset: JsonObject): boolean =>
	isJsonObject(properties) && Object.keys(properties).every((name) => Object.hasOwn(preset, name));

function listRequiredTexts({ properties, required }: JsonSchema): string[] {
	if (!isJsonObject(properties) || !Array.isArray(required)) return [];
	return required.map(String).filter((name) => {
		const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
		return isJsonObject(property) && property.type === "string";
	});
}

const inputNotObject = (node: string): RunError => ({
	code: "input_not_object",
	message: `The input of "${node}" is not an object of arguments, and its tool does not accept a single text.`,
	hint: "Give the node before it an `output` with the arguments of the tool.",
});

export function onToolOutput(run: RunState, command: ToolCommand, output: Json): void {
	const { invocation } = command;
	if (!endCall(run, command) || invocation.closed) return;
	invocation.value = output;
	invocation.verbatim = true;
	run.tasks.push({ type: "continue", invocation });
}

export function onToolFailed(run: RunState, command: ToolCommand, error: RunError): void {
	if (endCall(run, command)) fail(run, command.invocation, error);
}

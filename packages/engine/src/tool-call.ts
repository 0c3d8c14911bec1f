import type { Json, JsonObject, JsonSchema, RunError, ToolNode } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import { requestCall } from "./approvals";
import { endCall } from "./call-queue";
import type { ToolCommand } from "./command";
import { fail, type Invocation } from "./invocation";
import type { RunState } from "./run-state";
import { toAsked } from "./value";

/** Begins the one call of a tool node. */
export function startToolCall(run: RunState, invocation: Invocation, node: ToolNode): void {
	const { parameters = {}, refusal } = run.tools[invocation.node.index] ?? {};
	if (refusal !== undefined) return fail(run, invocation, refusal);
	const input = takesMessages(parameters) ? invocation.input : toAsked(invocation.input, run.input);
	const given = toArguments(input, parameters, node.arguments);
	if (given === undefined) return fail(run, invocation, inputNotObject(node.id));
	requestCall(run, { type: "tool", invocation, isOut: false, arguments: given });
}

/** An object is the arguments; text is the only required text among them, and nothing to a tool that takes none. Fixed arguments win. */
function toArguments(input: Json, parameters: JsonSchema, fixed: JsonObject = {}): JsonObject | undefined {
	if (isJsonObject(input)) return { ...input, ...fixed } as JsonObject;
	if (takesNone(parameters, fixed)) return { ...fixed };
	if (typeof input !== "string") return undefined;
	const [name, ...others] = listRequiredTexts(parameters).filter((one) => !Object.hasOwn(fixed, one));
	return name === undefined || others.length > 0 ? undefined : { [name]: input, ...fixed };
}

const takesMessages = ({ properties }: JsonSchema): boolean =>
	isJsonObject(properties) && Object.hasOwn(properties, "messages");

const takesNone = ({ properties }: JsonSchema, fixed: JsonObject): boolean =>
	isJsonObject(properties) && Object.keys(properties).every((name) => Object.hasOwn(fixed, name));

function listRequiredTexts({ properties, required }: JsonSchema): string[] {
	if (!isJsonObject(properties) || !Array.isArray(required)) return [];
	return required.map(String).filter((name) => {
		const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
		return isJsonObject(property) && property.type === "string";
	});
}

const inputNotObject = (node: string): RunError => ({
	code: "input_not_object",
	message: `"${node}" was given what is no object of arguments, and its tool does not take one text alone.`,
	hint: "Give the node before it an `output` with the arguments of the tool.",
});

export function onToolOutput(run: RunState, command: ToolCommand, output: Json): void {
	const { invocation } = command;
	if (!endCall(run, command) || invocation.closed) return;
	invocation.value = output;
	invocation.quotes = true;
	run.tasks.push({ do: "continue", invocation });
}

export function onToolFailed(run: RunState, command: ToolCommand, error: RunError): void {
	if (endCall(run, command)) fail(run, command.invocation, error);
}

import type { JsonObject, Payer } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import type { CallAccount, CallCommand, ModelCommand, ToolCommand } from "./command";
import type { Invocation } from "./invocation";
import { toRemoteCommand } from "./remote-call";
import { invalidRun, readEach, readFields, type SavedFields } from "./saved-fields";
import { readInvocation, type SavedParts } from "./saved-parts";

/** Reads the calls that were out or planned, and those that wait for a person. */
export function decodeCalls(parts: SavedParts, fields: SavedFields): void {
	const { run } = parts;
	for (const call of readEach(fields, "out")) run.calls.add(decodeCall(parts, call));
	for (const call of readEach(fields, "planned")) {
		const command = decodeCall(parts, call);
		run.calls.add(command);
		run.waiting.push(command);
	}
	for (const command of run.calls) if (command.type === "model") run.reservedTokens += command.reserved;
	for (const one of readEach(fields, "approvals")) {
		const command = decodeCall(parts, readFields(one.any("call"), `${one.place}.call`));
		if (command.type === "model") throw invalidRun(one.place, "a call that may need an approval");
		run.approvals.push({
			id: `apr_${command.invocation.id}`,
			command,
			expiresAt: one.figure("expires_at"),
		});
	}
}

/** Of the kind that its node makes. */
function decodeCall(parts: SavedParts, fields: SavedFields): CallCommand {
	const invocation = readInvocation(parts, fields, "invocation");
	const type = fields.text("type");
	if (type !== toCallType(invocation)) throw invalidRun(`${fields.place}.type`, "what its node calls");
	if (type === "model") return decodeModelCall(parts, fields, invocation);
	if (type === "tool") return decodeToolCall(parts, fields, invocation);
	return toRemoteCommand(invocation);
}

const toCallType = ({ node }: Invocation): string =>
	node.turns === undefined ? node.definition.kind : "model";

function decodeModelCall({ run }: SavedParts, fields: SavedFields, invocation: Invocation): ModelCommand {
	const { count, flag, figure } = fields;
	return {
		type: "model",
		invocation,
		isOut: false,
		row: count("row"),
		account: readAccount(readFields(fields.any("account"), `${fields.place}.account`)),
		startedAt: figure("startedAt"),
		mayCall: flag("mayCall"),
		maxOutputTokens: fields.optional("maxOutputTokens", count),
		reserved: run.limits.maxTokens === Number.POSITIVE_INFINITY ? 0 : count("reserved"),
		estimatedInput: count("estimatedInput"),
		received: count("received"),
	};
}

const PAYERS: readonly Payer[] = ["workspace", "deployment", "none", "external"];

function readAccount({ text, place }: SavedFields): CallAccount {
	const named = text("payer");
	const payer = PAYERS.find((one) => one === named);
	if (payer === undefined) throw invalidRun(`${place}.payer`, "a payer");
	return {
		payer,
		provider: text("provider"),
		vendor_host: text("vendor_host"),
		model: text("model"),
		reason: text("reason"),
	};
}

function decodeToolCall({ read }: SavedParts, fields: SavedFields, invocation: Invocation): ToolCommand {
	const given = read(fields.any("arguments"), fields.place);
	if (!isJsonObject(given)) throw invalidRun(`${fields.place}.arguments`, "an object");
	// What stands in a value is JSON.
	return { type: "tool", invocation, isOut: false, arguments: given as JsonObject };
}

import type { Payer } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import type { Invocation } from "../nodes/invocation";
import { toRemoteCommand } from "../nodes/remote-node";
import type { CallAccount, CallCommand, ModelCommand, ToolCommand } from "../run/command";
import { type DecodeContext, readInvocation } from "./decode-context";
import { invalidField, readEach, readFields, type SavedFields } from "./saved-fields";

/** Reads the calls that were in flight or queued, and those that wait for a person. */
export function decodeCalls(context: DecodeContext, fields: SavedFields): void {
	const { run } = context;
	for (const call of readEach(fields, "out")) run.pendingCalls.add(decodeCall(context, call));
	for (const call of readEach(fields, "planned")) {
		const command = decodeCall(context, call);
		run.pendingCalls.add(command);
		run.queuedCalls.push(command);
	}
	for (const command of run.pendingCalls)
		if (command.type === "model") run.reservedTokens += command.reserved;
	for (const one of readEach(fields, "approvals")) {
		const command = decodeCall(context, readFields(one.any("call"), `${one.path}.call`));
		if (command.type === "model") throw invalidField(one.path, "a call that may need an approval");
		run.approvals.push({
			id: `apr_${command.invocation.id}`,
			command,
			expiresAt: one.number("expires_at"),
		});
	}
}

/** Decodes a call, which must be of the kind that its node makes. */
function decodeCall(context: DecodeContext, fields: SavedFields): CallCommand {
	const invocation = readInvocation(context, fields, "invocation");
	const type = fields.text("type");
	if (type !== toCallType(invocation)) throw invalidField(`${fields.path}.type`, "what its node calls");
	if (type === "model") return decodeModelCall(context, fields, invocation);
	if (type === "tool") return decodeToolCall(context, fields, invocation);
	return toRemoteCommand(invocation);
}

const toCallType = ({ node }: Invocation): string =>
	node.modelSettings === undefined ? node.definition.kind : "model";

function decodeModelCall({ run }: DecodeContext, fields: SavedFields, invocation: Invocation): ModelCommand {
	const { count, flag, number } = fields;
	return {
		type: "model",
		invocation,
		isInFlight: false,
		row: count("row"),
		account: readAccount(readFields(fields.any("account"), `${fields.path}.account`)),
		startedAt: number("startedAt"),
		mayCall: flag("mayCall"),
		maxOutputTokens: fields.optional("maxOutputTokens", count),
		reserved: run.limits.maxTokens === Number.POSITIVE_INFINITY ? 0 : count("reserved"),
		estimatedInput: count("estimatedInput"),
		received: count("received"),
	};
}

const PAYERS: readonly Payer[] = ["workspace", "deployment", "none", "external"];

function readAccount({ text, path }: SavedFields): CallAccount {
	const payerName = text("payer");
	const payer = PAYERS.find((one) => one === payerName);
	if (payer === undefined) throw invalidField(`${path}.payer`, "a payer");
	return {
		payer,
		provider: text("provider"),
		vendor_host: text("vendor_host"),
		model: text("model"),
		reason: text("reason"),
	};
}

function decodeToolCall({ read }: DecodeContext, fields: SavedFields, invocation: Invocation): ToolCommand {
	const args = read(fields.any("arguments"), fields.path);
	if (!isJsonObject(args)) throw invalidField(`${fields.path}.arguments`, "an object");
	return { type: "tool", invocation, isInFlight: false, arguments: args };
}

import type { ChatModel, JsonObject } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import type {
	ModelPort,
	ModelRequest,
	PortCallOptions,
	ResolvedModel,
	RunModelRequest,
} from "@stemma/engine";
import type { CallLog } from "../calls/call-log";
import { recordCall } from "./record-call";
import { createRecordedModel } from "./recorded-model";

/** Finds the model of a node in this execution; asked where the first call of the model is made. */
export type FindModel = () => Promise<ResolvedModel>;

/** Models that are resolved once for each part of a run; who answers and who pays is stored. */
export function createRecordedModels(models: ModelPort, log: CallLog): ModelPort {
	const { resolveAll } = models;
	if (resolveAll === undefined)
		return { resolve: (request, options) => resolveRecorded(models, log, request, options) };
	return {
		resolve: (request, options) => resolveRecorded(models, log, request, options),
		resolveAll: (request, options) =>
			resolveAllRecorded((again) => resolveAll.call(models, request, again), log, request, options),
	};
}

async function resolveRecorded(
	models: ModelPort,
	log: CallLog,
	request: ModelRequest,
	options: PortCallOptions,
): Promise<ResolvedModel> {
	let resolved: ResolvedModel | undefined;
	const account = await recordCall(log, {
		name: `resolve ${request.node}`,
		errorCode: "model_refused",
		signal: options.signal,
		async call() {
			resolved = await models.resolve(request, options);
			return toAccount(resolved);
		},
	});
	const find: FindModel = async () => {
		resolved ??= await models.resolve(request, options);
		return resolved;
	};
	return toResolvedModel(log, account, request.node, find);
}

type ResolveAll = (options: PortCallOptions) => readonly ResolvedModel[] | Promise<readonly ResolvedModel[]>;

async function resolveAllRecorded(
	resolveAll: ResolveAll,
	log: CallLog,
	{ nodes }: RunModelRequest,
	options: PortCallOptions,
): Promise<readonly ResolvedModel[]> {
	let resolved: readonly ResolvedModel[] | undefined;
	const accounts = await recordCall(log, {
		name: "resolve",
		errorCode: "model_refused",
		signal: options.signal,
		async call() {
			resolved = await resolveAll(options);
			return nodes.map((_, position) => toAccount(resolved?.[position]));
		},
	});
	const list = Array.isArray(accounts) ? accounts : [];
	return nodes.map(({ node }, position) =>
		toResolvedModel(log, list[position], node, async () => {
			resolved ??= await resolveAll(options);
			const found = resolved[position];
			if (found === undefined) throw new TypeError(`"${node}" has no model.`);
			return found;
		}),
	);
}

/** What the receipt says of a model. `null` for what is none. */
function toAccount(resolved: ResolvedModel | undefined): JsonObject | null {
	if (typeof resolved?.model?.stream !== "function") return null;
	const { model, payer, reason } = resolved;
	return { payer, reason, provider: model.provider, model: model.model, vendor_host: model.vendorHost };
}

function toResolvedModel(log: CallLog, account: unknown, node: string, find: FindModel): ResolvedModel {
	// The engine has an error for it.
	if (!isJsonObject(account)) return account as ResolvedModel;
	const { payer, reason, provider, model, vendor_host } = account;
	const description: Pick<ChatModel, "provider" | "model" | "vendorHost"> = {
		provider: String(provider),
		model: String(model),
		vendorHost: String(vendor_host),
	};
	return {
		model: createRecordedModel({ log, node, description, find }),
		payer: payer as ResolvedModel["payer"],
		reason: String(reason),
	};
}

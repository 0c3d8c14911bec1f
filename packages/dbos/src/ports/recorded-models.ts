import type { JsonObject } from "@stemma/core";
import { clock, isJsonObject } from "@stemma/core/internal";
import type {
	ModelPort,
	ModelRequest,
	PortCallOptions,
	ResolvedModel,
	RunModelRequest,
} from "@stemma/engine";
import type { CallLog } from "../calls/call-log";
import { type ModelAccount, nameModel, toAccount } from "./model-account";
import { recordCall } from "./record-call";
import { createRecordedModel } from "./recorded-model";

/** Finds the model of a node in this execution: resolved again where an earlier one stored it. */
type FindModel = () => Promise<ResolvedModel>;

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
			return toStoredAccount(resolved);
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
			return nodes.map((_, position) => toStoredAccount(resolved?.[position]));
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

/** Account of a model, to be stored. `null` for what is no model. */
const toStoredAccount = (resolved: ResolvedModel | undefined): JsonObject | null =>
	typeof resolved?.model?.stream === "function" ? { ...toAccount(resolved) } : null;

function toResolvedModel(log: CallLog, account: unknown, node: string, find: FindModel): ResolvedModel {
	// The engine has an error for it.
	if (!isJsonObject(account)) return account as ResolvedModel;
	// It was stored by `toStoredAccount`.
	const stored = account as unknown as ModelAccount;
	const { payer, reason, provider, model, vendor_host: vendorHost } = stored;
	const recorded = createRecordedModel({
		log,
		node,
		description: { provider, model, vendorHost },
		async *stream(request, callOptions) {
			const resolved = await find();
			const startedAt = clock.now();
			for await (const event of resolved.model.stream(request, callOptions))
				yield event.type === "finish"
					? nameModel(event, request, resolved, stored, clock.now() - startedAt)
					: event;
		},
	});
	return { model: recorded, payer, reason };
}

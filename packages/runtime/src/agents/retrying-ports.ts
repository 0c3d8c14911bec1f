import type { ChatEvent, ChatModel } from "@stemma/core";
import { isRefusedConnection, sleep } from "@stemma/core/internal";
import type { LocalPorts, ModelPort, ResolvedModel, Retriever, ServicePorts } from "@stemma/local";
import { toUnavailableError } from "./service-outage";

/** A service that starts again is back in some seconds: 8 in all. */
export const RETRY_DELAYS_MS: readonly number[] = [250, 500, 1_000, 2_000, 4_000];

/**
 * The ports of a service whose errors speak to the operator of a runtime. A call that nobody took, as while the service
 * starts again, is tried once more for some seconds: nothing was sent, so nothing happens twice.
 */
export const withRetry = ({ models, retriever, agents }: ServicePorts): LocalPorts => ({
	models: retryingModels(models),
	retriever: retryingRetriever(retriever),
	agents: {
		run: (request, call) =>
			agents.run(request, call).catch((error: unknown) => {
				throw toUnavailableError(error);
			}),
	},
});

const retryingModels = (models: ServicePorts["models"]): ModelPort => ({
	async resolve(request, call) {
		return retryingResolved(await retry(async () => models.resolve(request, call), call.signal));
	},
	async resolveAll(request, call) {
		const resolved = await retry(async () => models.resolveAll(request, call), call.signal);
		return resolved.map(retryingResolved);
	},
});

const retryingResolved = (resolved: ResolvedModel): ResolvedModel => ({
	...resolved,
	model: retryingModel(resolved.model),
});

const retryingRetriever = (retriever: Retriever): Retriever => ({
	retrieve: (request, call) => retry(() => retriever.retrieve(request, call), call.signal),
});

function retryingModel(model: ChatModel): ChatModel {
	const { provider, model: name, vendorHost } = model;
	return {
		provider,
		model: name,
		vendorHost,
		generate: (request, options) => retry(() => model.generate(request, options), options?.signal),
		async *stream(request, options): AsyncGenerator<ChatEvent> {
			let events: AsyncIterator<ChatEvent> | undefined;
			try {
				const open = async () => {
					events = model.stream(request, options)[Symbol.asyncIterator]();
					return events.next();
				};
				for (let next = await retry(open, options?.signal); next.done !== true; ) {
					yield next.value;
					next = await (events as AsyncIterator<ChatEvent>).next();
				}
			} catch (error) {
				throw toUnavailableError(error);
			} finally {
				await events?.return?.();
			}
		},
	};
}

async function retry<Value>(call: () => Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
	for (const delayMs of RETRY_DELAYS_MS) {
		try {
			return await call();
		} catch (error) {
			if (!isRefusedConnection(error) || signal?.aborted) throw toUnavailableError(error);
			await sleep(delayMs, signal);
		}
	}
	return call().catch((error: unknown) => {
		throw toUnavailableError(error);
	});
}

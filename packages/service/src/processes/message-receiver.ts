import { deserialize } from "node:v8";
import type { TaskEvents } from "../worker-threads/task-queue";
import { WorkerFailure, type WorkerFailureReason } from "../worker-threads/worker-failure";
import { createFrameReader } from "./frames";
import type { ProcessMessage, ProcessOutput } from "./process-message";

/** Receiver of what a process sends, for one task after another. */
export interface MessageReceiver<Piece, Output> {
	readonly isReady: boolean;
	/** Number of tasks that are done. */
	readonly tasks: number;
	/** Memory of the process after the last task. */
	readonly residentBytes: number;
	/** Begins with the messages of a task. @returns a function that ends it. */
	begin(events: TaskEvents<ProcessOutput<Piece, Output>>): () => void;
	/** @throws WorkerFailure for more bytes than a task may send, and for what is no message. */
	push(bytes: Uint8Array): void;
	/** Fails the task that is under way, if one is. */
	fail(reason: WorkerFailureReason, cause?: unknown): void;
}

/** @param maxBytes - that a task may send. */
export function createMessageReceiver<Piece, Output>(maxBytes: number): MessageReceiver<Piece, Output> {
	let isReady = false;
	let tasks = 0;
	let residentBytes = 0;
	let receivedBytes = 0;
	let pieces: Piece[] = [];
	let events: TaskEvents<ProcessOutput<Piece, Output>> | undefined;

	function receive(message: ProcessMessage<Piece, Output>): void {
		if (message.type === "piece") pieces.push(message.piece);
		else if (message.type === "ready") {
			isReady = true;
			events?.onReady();
		} else {
			tasks += 1;
			residentBytes = message.residentBytes;
			events?.onOutput({ pieces, output: message.output });
		}
	}
	const frames = createFrameReader(
		(payload) => receive(deserialize(payload)),
		(byteLength) => {
			receivedBytes += byteLength;
			if (receivedBytes > maxBytes) throw new WorkerFailure("too_much_output");
		},
	);
	return {
		get isReady() {
			return isReady;
		},
		get tasks() {
			return tasks;
		},
		get residentBytes() {
			return residentBytes;
		},
		begin(taskEvents) {
			pieces = [];
			receivedBytes = 0;
			events = taskEvents;
			return () => {
				events = undefined;
				pieces = [];
			};
		},
		push: frames.push,
		fail: (reason, cause) => events?.onFailure(new WorkerFailure(reason, cause)),
	};
}

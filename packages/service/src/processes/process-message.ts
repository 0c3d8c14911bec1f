/** Descriptor of the socket between a process and its parent. */
export const CHANNEL_DESCRIPTOR = 3;

/**
 * Message of a process that performs tasks: `ready` once, when its modules are loaded, then for each task some pieces and
 * the output, with the memory that the process has taken.
 */
export type ProcessMessage<Piece, Output> =
	| { readonly type: "ready" }
	| { readonly type: "piece"; readonly piece: Piece }
	| { readonly type: "output"; readonly output: Output; readonly residentBytes: number };

/** Task of a process: what describes the bytes, then the bytes in a frame of their own. */
export interface ProcessInput<Head> {
	readonly head: Head;
	readonly bytes: Uint8Array;
}

/** Output of a task, with its pieces in order: each is short, so that none holds the main thread. */
export interface ProcessOutput<Piece, Output> {
	readonly pieces: readonly Piece[];
	readonly output: Output;
}

/** A piece of text as our events have it, for servers that run nothing. */
export const toDelta = (seq, text) => ({
	type: "text.delta",
	run_id: "run_01kb0000000000000000000000",
	seq,
	at: new Date().toISOString(),
	node: "desk",
	invocation: "inv_1",
	parent: null,
	text,
	final: true,
});

import type { KnowledgeDocument } from "@stemma/client";
import { expect, it, vi } from "vitest";
import { type SendFile, UploadQueue } from "./upload-queue";

const file = (name: string) => ({ file: new File(["text"], name), path: `folder/${name}` });
const NO_DOCUMENTS: { readonly data: readonly KnowledgeDocument[] } = { data: [] };

/** Queue whose uploads end when the test says so. */
function createQueue() {
	const sent: {
		readonly source: unknown;
		readonly end: (error?: Error) => void;
		readonly isAborted: () => boolean;
	}[] = [];
	const send: SendFile = (request, { signal, onProgress }) =>
		new Promise((resolve, reject) => {
			onProgress({ loaded: 2, total: 4 });
			signal.addEventListener("abort", () => reject(signal.reason));
			const end = (error?: Error): void => (error ? reject(error) : resolve(NO_DOCUMENTS));
			sent.push({ source: "source" in request && request.source, end, isAborted: () => signal.aborted });
		});
	const onUploaded = vi.fn();
	const queue = new UploadQueue(send, onUploaded);
	const states = () => queue.get().map(({ status }) => status);
	return { queue, sent, onUploaded, states };
}

it("sends two files at once, under their paths, and then the others", async () => {
	const { queue, sent, onUploaded, states } = createQueue();
	queue.add([file("a.md"), file("b.md"), file("c.md")]);
	expect(states()).toEqual(["uploading", "uploading", "waiting"]);
	expect(queue.get()[0]?.share).toBe(0.5);
	sent[0]?.end();
	await vi.waitFor(() => expect(states()).toEqual(["uploaded", "uploading", "uploading"]));
	expect(sent.map(({ source }) => source)).toEqual(["folder/a.md", "folder/b.md", "folder/c.md"]);
	expect(onUploaded).toHaveBeenCalledTimes(1);
});

it("goes on after a file that is refused, with its error", async () => {
	const { queue, sent, states } = createQueue();
	queue.add([file("a.md"), file("b.md"), file("c.md")]);
	const error = new Error("Too large.");
	sent[0]?.end(error);
	await vi.waitFor(() => expect(states()).toEqual(["failed", "uploading", "uploading"]));
	expect(queue.get()[0]?.error).toBe(error);
	queue.clear();
	expect(states()).toEqual(["uploading", "uploading"]);
});

it("cancels a file that waits, one that is sent, and all", async () => {
	const { queue, sent, states } = createQueue();
	queue.add([file("a.md"), file("b.md"), file("c.md"), file("d.md")]);
	const [first, , third] = queue.get();
	queue.cancel(third?.key ?? 0);
	queue.cancel(first?.key ?? 0);
	await vi.waitFor(() => expect(states()).toEqual(["cancelled", "uploading", "cancelled", "uploading"]));
	expect(sent[0]?.isAborted()).toBe(true);
	queue.close();
	expect(states()).toEqual(["cancelled", "cancelled", "cancelled", "cancelled"]);
	expect(sent).toHaveLength(3);
});

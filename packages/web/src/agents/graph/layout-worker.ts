import { layOutGraph } from "./lay-out-graph";

/** Worker that lays graphs out: a large one takes seconds, in which the page goes on. */
function onGraph({ data }: MessageEvent): void {
	globalThis.postMessage(layOutGraph(data));
}

globalThis.addEventListener("message", onGraph);

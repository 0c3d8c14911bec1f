import { layOutGraph } from "./lay-out-graph";

// Worker that lays graphs out: a large one takes seconds, in which the page goes on.
globalThis.addEventListener("message", ({ data }: MessageEvent) => globalThis.postMessage(layOutGraph(data)));

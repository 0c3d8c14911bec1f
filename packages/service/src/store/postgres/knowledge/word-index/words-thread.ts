import { serveTasks } from "../../../../worker-threads/serve-tasks";
import { collectDocumentWords } from "./document-words";

/** Collects words in a thread of their own: see `word-collector.ts`. */
serveTasks(collectDocumentWords);

import { serveTasks } from "../../worker-threads/serve-tasks";
import { embedTexts } from "./embedded-task";

/** Worker thread of the embedded model. */
serveTasks(embedTexts);

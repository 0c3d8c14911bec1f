import { serveTasks } from "../worker-threads/serve-tasks";
import { generateBuiltIn } from "./built-in-task";

/** Worker thread of the built-in model. */
serveTasks(generateBuiltIn);

import { serveTasks } from "../worker-threads/serve-tasks";
import { performSchemaCheck } from "./schema-check-task";

/** Worker thread that checks values against JSON Schemas. */
serveTasks(performSchemaCheck);

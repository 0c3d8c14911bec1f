import { serveTasks } from "../threads/serve-tasks";
import { performSchemaCheck } from "./schema-check-task";

serveTasks(performSchemaCheck);

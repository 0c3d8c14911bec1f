import { serveTasks } from "../threads/serve-tasks";
import { generateBuiltIn } from "./built-in-task";

serveTasks(generateBuiltIn);

import { serveTasks } from "../threads/serve-tasks";
import { replyBuiltIn } from "./built-in-task";

serveTasks(replyBuiltIn);

import * as client from "@stemma/client";
import * as local from "@stemma/local";
import { report } from "./report.mjs";
import { wholeLine } from "./whole-line.mjs";

await report(wholeLine, { client, local });

export { readAgentFile } from "./agent-file/read-agent-file";
export { readDataFolder } from "./connection/data-folder";
export { removeServiceFile, writeServiceFile } from "./connection/service-file";
export { ingest } from "./ingest/ingest";
export { describeIngest } from "./ingest/ingest-report";
export { createIngestBar, reportMissing } from "./ingest/show-ingest";
export { createRunRenderer } from "./terminal/render/render-run";
export { reportError } from "./terminal/report-error";

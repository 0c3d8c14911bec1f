import { parentPort } from "node:worker_threads";
import { jobs } from "./jobs";
import { openForSearching, openForWriting, type SqliteFile, toFailure } from "./sqlite-file";
import type { ThreadRequest } from "./thread-protocol";

const files = new Map<string, SqliteFile>();

function demandFile(name: string): SqliteFile {
	const found = files.get(name);
	if (found === undefined) throw new Error("The file is not open.");
	return found;
}

function answer(request: ThreadRequest): unknown {
	const { file } = request;
	switch (request.type) {
		case "open":
			if (files.has(file)) return undefined;
			files.set(
				file,
				request.readOnly
					? openForSearching(file)
					: openForWriting(file, request.migrations, request.mustExist),
			);
			return undefined;
		case "close":
			files.get(file)?.close();
			files.delete(file);
			return undefined;
		case "execute":
			return demandFile(file).execute(request.sql, request.parameters);
		case "job":
			return runJob(demandFile(file), request.job, request.input);
	}
}

function runJob(file: SqliteFile, name: string, input: unknown): unknown {
	const job = jobs[name];
	if (job === undefined) throw new Error(`There is no job "${name}".`);
	return job(file, input);
}

parentPort?.on("message", (request: ThreadRequest) => {
	try {
		parentPort?.postMessage({ call: request.call, value: answer(request) });
	} catch (error) {
		parentPort?.postMessage({ call: request.call, failure: toFailure(error) });
	}
});

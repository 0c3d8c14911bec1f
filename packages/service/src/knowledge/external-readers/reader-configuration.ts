import type { OutputFormat } from "./external-reader";

/** External reader of the operator's configuration. */
export interface ReaderConfiguration {
	readonly name: string;
	/** Extensions of file names, in lower case and without the dot. */
	readonly extensions: readonly string[];
	/** Media types in lower case, for files of other names. */
	readonly mediaTypes: readonly string[];
	/** Time to read one document. */
	readonly timeoutMs: number;
	readonly maxOutputBytes: number;
	readonly via: ReaderCommand | ReaderServer;
}

/** A program: it gets the file on its standard input, or by its path where an argument has `{file}`. */
export interface ReaderCommand {
	readonly kind: "command";
	/** Path or name of the program, then its arguments. There is no shell. */
	readonly command: readonly [string, ...string[]];
	/** Format of its standard output. */
	readonly output: OutputFormat;
	/** Memory at which the program is ended, where the system reports it. */
	readonly maxMemoryMebibytes: number;
}

/** A server with the API of Apache Tika or of Docling. */
export interface ReaderServer {
	readonly kind: "tika" | "docling";
	/** Address of the server, without the path of its method. */
	readonly baseUrl: string;
}

/** The package has no types of its own. */
declare module "html-encoding-sniffer" {
	interface SnifferOptions {
		/** What is given where nothing is declared. */
		readonly defaultEncoding?: string;
	}

	/** The name of the encoding by byte order mark, `<meta>` or XML declaration. */
	function htmlEncodingSniffer(bytes: Uint8Array, options?: SnifferOptions): string;

	export = htmlEncodingSniffer;
}

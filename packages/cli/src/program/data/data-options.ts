import type { Command } from "commander";

/** Adds the options of commands that work on a data folder and can print JSON. */
export const addDataOptions = (command: Command): Command =>
	command
		.option("--data <folder>", "the data folder (default: from the settings, else ./stemma-data)")
		.option("--config <file>", "settings (default: ./stemma.config.json, if it exists)")
		.option("--json", "print JSON", false);

import commonjs from "@rollup/plugin-commonjs";
import resolve from "@rollup/plugin-node-resolve";
import replace from "@rollup/plugin-replace";

export default {
	input: "main.js",
	output: { dir: "built/rollup" },
	plugins: [
		resolve({ browser: true }),
		// React is CommonJS, and asks which build of it is wanted.
		commonjs(),
		replace({ preventAssignment: true, "process.env.NODE_ENV": '"production"' }),
	],
};

export { fileFromPath, type PathFile, type PathFileOptions } from "./file-from-path.node.ts";

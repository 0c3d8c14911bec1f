export { fileFromPath, type PathFile, type PathFileOptions } from "./uploads/file-from-path.node.ts";

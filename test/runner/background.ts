// Loaded before test files that run beside the real editor: its tests wait for a window, and would wait for a processor as
// well. These processes and their browsers get less of it, but more than one that was started by `nice`.
import { setPriority } from "node:os";

setPriority(5);

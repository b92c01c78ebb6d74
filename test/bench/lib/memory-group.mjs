import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const ROOT = '/sys/fs/cgroup';

/** The names of the files in the two versions of cgroups. */
const V1 = {
  folder: join(ROOT, 'memory'),
  limit: 'memory.limit_in_bytes',
  swap: undefined,
  peak: 'memory.max_usage_in_bytes',
  stat: 'memory.stat',
  anonymous: 'total_rss',
  events: 'memory.oom_control',
};
const V2 = {
  folder: ROOT,
  limit: 'memory.max',
  swap: 'memory.swap.max',
  peak: 'memory.peak',
  stat: 'memory.stat',
  anonymous: 'anon',
  events: 'memory.events',
};

/** Processes with a common limit of memory, as those of a container: the kernel kills one if they need more. Needs root. */
export class MemoryGroup {
  #files;

  constructor(bytes) {
    this.#files = existsSync(join(V1.folder, V1.limit)) ? V1 : V2;
    this.path = join(this.#files.folder, `hrs-bench-${process.pid}`);
    mkdirSync(this.path);
    this.#write(this.#files.limit, bytes);
    if (this.#files.swap) this.#write(this.#files.swap, 0);
  }

  /** The command that joins the group and then becomes this command. */
  wrap(command) {
    return ['sh', '-c', 'echo $$ > "$0/cgroup.procs" && exec "$@"', this.path, ...command];
  }

  /** Takes in a process that runs. What it starts from now on belongs to the group. One that has ended is left out. */
  add(pid) {
    try {
      this.#write('cgroup.procs', pid);
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  }

  /** Megabytes that the group held at most. The files that the kernel caches for it are a part: it drops them at need. */
  get peak() {
    return Number(this.#read(this.#files.peak)) / 1024 ** 2;
  }

  /** Megabytes that belong to the processes now, without cached files. */
  get anonymous() {
    return this.#field(this.#files.stat, this.#files.anonymous) / 1024 ** 2;
  }

  /** How many processes the kernel has killed because the group needed more than its limit. */
  get kills() {
    return this.#field(this.#files.events, 'oom_kill');
  }

  /** Waits for its processes to end. */
  async remove() {
    while (this.#read('cgroup.procs').trim() !== '') await sleep(50);
    rmdirSync(this.path);
  }

  #field(file, name) {
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(this.#read(file))[1]);
  }

  #read(file) {
    return readFileSync(join(this.path, file), 'utf8');
  }

  #write(file, value) {
    writeFileSync(join(this.path, file), String(value));
  }
}

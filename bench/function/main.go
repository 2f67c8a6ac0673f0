package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

func main() {
	sizes := flag.String("sizes", "1000,10000,50000", "numbers of objects, separated by commas")
	runs := flag.Int("runs", 5, "counted runs of each program for each size; one more is made first")
	flag.Parse()
	if err := measure(*sizes, *runs); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func measure(sizes string, runs int) error {
	dir, err := os.MkdirTemp("", "berth-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary folder
	programs := []string{"./functions/berth", "./bench/identity"}
	if out, err := exec.Command("go", append([]string{"build", "-trimpath", "-o", dir + "/"}, programs...)...).CombinedOutput(); err != nil {
		return fmt.Errorf("build: %w\n%s", err, out)
	}
	fmt.Println("| objects | program | wall s | cpu s | peak MiB | wall us per object |")
	fmt.Println("| ---: | --- | ---: | ---: | ---: | ---: |")
	perObject := map[int]usage{}
	var counts []int
	for _, text := range strings.Split(sizes, ",") {
		n, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("-sizes: %w", err)
		}
		counts = append(counts, n)
		if perObject[n], err = compare(dir, n, runs); err != nil {
			return err
		}
	}
	first, last := counts[0], counts[len(counts)-1]
	a, b := perObject[last], perObject[first]
	fmt.Printf("\nberth, cost of an object at %d against %d: %.2f by processor time, %.2f by wall time\n", last, first, a.cpu/b.cpu, a.wall/b.wall)
	return nil
}

// compare runs both programs in turn on n objects, prints a row each and the ratios, and returns what berth used for one
// object.
func compare(dir string, n, runs int) (usage, error) {
	input := filepath.Join(dir, strconv.Itoa(n)+".yaml")
	if err := os.WriteFile(input, resourceList(n), 0o600); err != nil {
		return usage{}, err
	}
	ours, theirs := &series{name: "berth"}, &series{name: "identity"}
	for i := range runs + 1 {
		for _, s := range []*series{ours, theirs} {
			run, err := execute(filepath.Join(dir, s.name), input)
			if err != nil {
				return usage{}, fmt.Errorf("%s on %d objects: %w", s.name, n, err)
			}
			if i > 0 {
				s.add(run)
			}
		}
	}
	a, b := ours.median(), theirs.median()
	for _, row := range []struct {
		name string
		usage
	}{{"berth", a}, {"identity", b}} {
		fmt.Printf("| %d | %s | %.3f | %.3f | %.0f | %.1f |\n", n, row.name, row.wall, row.cpu, row.peak, row.wall/float64(n)*1e6)
	}
	fmt.Printf("| %d | **ratio** | **%.2f** | **%.2f** | **%.2f** | |\n", n, a.wall/b.wall, a.cpu/b.cpu, a.peak/b.peak)
	return usage{wall: a.wall / float64(n), cpu: a.cpu / float64(n)}, nil
}

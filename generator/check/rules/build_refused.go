package rules

import (
	"bytes"
	"errors"
	"io"
	"path"
	"regexp"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
)

// remedy says what to do about a folder that kustomize refuses, by its message.
func remedy(dir, message string) string {
	switch {
	case strings.Contains(message, "external plugins disabled"):
		return "commit what the function makes (berth generate) instead of the transformers: entry, since Flux runs no plugins"
	case guardFailed.MatchString(message):
		return "the base is not what a patch was made from: run berth generate again if it wrote the patch, or mend the patch's test"
	}
	return "mend the folder " + dir
}

var (
	guardFailed   = regexp.MustCompile(`testing value \S* failed`) // evanphx/json-patch, of an operation test
	inFile        = regexp.MustCompile(` in File: ([^\s']+)`)      // kusterr.YamlFormatError of kustomize
	throughFolder = regexp.MustCompile(`recursed accumulation of path '([^']+)'`)
	atLine        = regexp.MustCompile(`\bline (\d+)`)
)

// refusedFile is the file that kustomize's message names, with the line where its YAML breaks; the folder's kustomization.yaml
// when the message names none that is broken.
func refusedFile(p *check.Pass, dir, message string) finding.Source {
	if match := inFile.FindStringSubmatch(message); match != nil {
		for _, folder := range append(foldersIn(message), dir, ".") { // the name is relative to the folder that lists it
			file := path.Join(folder, match[1])
			content, err := p.Repository.Checkout.ReadFile(file)
			if line := brokenLine(content); err == nil && line > 0 {
				return finding.Source{File: file, Line: line}
			}
		}
	}
	return finding.Source{File: kustomizationFile(p, dir)}
}

// foldersIn are the folders that kustomize says it went through, the innermost first.
func foldersIn(message string) []string {
	var all []string
	for _, match := range throughFolder.FindAllStringSubmatch(message, -1) {
		all = append([]string{match[1]}, all...)
	}
	return all
}

// brokenLine is the line at which a text stops being YAML; 0 when it does not.
func brokenLine(content []byte) int {
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	for {
		var node yaml.Node
		err := decoder.Decode(&node)
		switch {
		case errors.Is(err, io.EOF):
			return 0
		case err != nil:
			return lineIn(err.Error())
		}
	}
}

func lineIn(message string) int {
	match := atLine.FindStringSubmatch(message)
	if match == nil {
		return 0
	}
	line, err := strconv.Atoi(match[1])
	if err != nil {
		return 0
	}
	return line
}
